"""What a group keeps of its papers: bibliographies, exports, and how papers stand to each other."""
