"""Over-the-board rating per rating period: the parts that the texts of 2022 and 2024 share."""
