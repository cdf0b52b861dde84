"""Over-the-board rating per rating period: what the texts of 2022 and 2024 share, and how a list comes about."""
