"""Changes against the last frame or the empty table: changed areas, occlusion, face-down cards, light."""
