"use strict";
// The page's script is these files one after the other, each in a scope of its own (page.c): what it
// takes from others stands at its beginning, and what it gives them at its end. What comes later is
// asked for by its file's name when it is needed. Whatever comes from a log becomes text of the page
// by textContent alone.
const modules = {};
