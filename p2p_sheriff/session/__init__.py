"""The game at the trustless table: rules and cryptography become one."""
