"""What only the portal knows of a report: its registration, its people, other events, and the games of a hybrid one."""
