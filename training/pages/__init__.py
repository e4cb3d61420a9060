"""The report page of a comparison."""
