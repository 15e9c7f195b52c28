"""What differs from the picture of the empty table: changed areas, occlusion, face-down cards, light."""
