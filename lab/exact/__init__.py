"""What has exact answers beyond results: the smallest machine, the history of a number, the shortest course."""
