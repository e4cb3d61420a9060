"""Cross-validation and agreement with people; model cards; downstream tasks."""
