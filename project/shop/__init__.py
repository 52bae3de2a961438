"""A small shop for tableware: its customers and orders, and the agent of its support desk."""
