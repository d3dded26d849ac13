"""What answers become: charts, the report, exports."""
