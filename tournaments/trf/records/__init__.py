"""The records of TRF, a small class each: `loads` reads a line, `dumps` writes it."""
