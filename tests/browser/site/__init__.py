"""A site for the browser tests: the demo site, an agent that does what it is told, and its pages."""
