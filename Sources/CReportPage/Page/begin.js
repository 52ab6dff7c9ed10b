"use strict";
// The page's script is these files one after the other, in one scope. Whatever comes from a log
// becomes text of the page by textContent alone.
