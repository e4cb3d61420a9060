"""What can be wrong with a gold file, and what is counted in one."""
