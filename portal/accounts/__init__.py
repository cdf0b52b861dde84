"""Accounts: their sign-up, sign-in, second factors and own pages, around the library for accounts."""
