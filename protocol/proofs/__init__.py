"""Zero-knowledge proofs. Each module has ``prove`` and ``verify``; ``verify`` returns nothing or raises."""
