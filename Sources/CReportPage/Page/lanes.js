// lanes
