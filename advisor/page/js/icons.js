/** Icons: strokes in a box of 24 by 24, drawn in the colour of the text around them. */

import { h } from "./dom.js";

const STROKES = {
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "m15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  sound: "M4 9v6h4l5 4V5L8 9H4ZM16.5 8.5a5 5 0 0 1 0 7M19 6a8.5 8.5 0 0 1 0 12",
  mute: "M4 9v6h4l5 4V5L8 9H4ZM16 9l6 6M22 9l-6 6",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
  help: "M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 2M12 17.5v.01M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z",
  camera:
    "M3 8a2 2 0 0 1 2-2h2.5L9 4h6l1.5 2H19a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8ZM15.5 12.5a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0Z",
  hand: "M8 12V5.5a1.5 1.5 0 0 1 3 0V11M11 10.5v-7a1.5 1.5 0 0 1 3 0v7M14 11V5.5a1.5 1.5 0 0 1 3 0V14c0 4-2.5 7-6 7-3 0-4.5-1.5-6-4l-1.7-3.2a1.4 1.4 0 0 1 2.4-1.5L8 15",
  computer: "M3 5a1 1 0 0 1 1-1h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V5ZM8 20h8M12 16v4",
  film: "M4 4h16v16H4V4ZM8 4v16M16 4v16M4 8h4M4 12h4M4 16h4M16 8h4M16 12h4M16 16h4",
  history: "M3.5 12A8.5 8.5 0 1 0 6 6L3.5 8.5M3.5 4v4.5H8M12 7.5V12l3 2",
  back: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  eye: "M2 12s3.5-7 10-7 10 7 10 7-3.5 7-10 7S2 12 2 12ZM15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z",
  hidden:
    "M4 4l16 16M9.5 5.4A10 10 0 0 1 12 5c6.500 0 10 7 10 7a17 17 0 0 1-3.300 4.200M6 7.500A17 17 0 0 0 2 12s3.500 7 10 7a10 10 0 0 0 4-.800M9.900 9.900a3 3 0 0 0 4.200 4.200",
  edit: "M4 20h4L19 9l-4-4L4 16v4ZM13 7l4 4",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  download: "M12 4v11M7 10.500l5 5 5-5M4 20h16",
  print:
    "M7 8V3h10v5M7 17H4a1 1 0 0 1-1-1v-6a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v6a1 1 0 0 1-1 1h-3M7 14h10v7H7v-7Z",
  pause: "M8 5v14M16 5v14",
  play: "M7 4.500v15l12-7.500-12-7.500Z",
  full: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  check: "M4 12.500l5 5L20 6.500",
  warning: "M12 4 2.500 20h19L12 4ZM12 10v4.500M12 17.300v.010",
  close: "M5 5l14 14M19 5 5 19",
  plus: "M12 4v16M4 12h16",
  light:
    "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.500 10.900c.600.500 1 1.200 1 2.100h5c0-.900.400-1.600 1-2.100A6 6 0 0 0 12 3Z",
  zones: "M4 6h16v12H4V6ZM9 6v12M9 12h11",
  star: "m12 3.500 2.600 5.400 5.900.800-4.300 4.100 1.100 5.900L12 16.900l-5.300 2.800 1.100-5.900L3.500 9.700l5.900-.800L12 3.500Z",
};

/** @param {keyof typeof STROKES} name */
export const icon = (name) =>
  h(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    h("path", { d: STROKES[name] }),
  );
