"""What the published vectors in ``protocol/vectors`` are made from: one module for each file."""
