"""The demo site: a shop's support desk that uses agentui as any Django site would."""
