"""The games of a tournament's rounds: made, started, ended and unsealed by the service."""
