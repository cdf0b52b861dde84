"""What happens around each request; the order is that of MIDDLEWARE in the settings."""
