"""Tabs in up to four panes, and what stands in one."""
