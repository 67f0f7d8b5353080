/**
 * A small virtual DOM: views are pure functions that return nodes, `patch` changes only what differs.
 *
 * Nothing here takes markup as text, so nothing a user or a camera supplies can become markup. Styles
 * are set through the CSSOM, which the strict Content-Security-Policy allows.
 *
 * @typedef {{tag: string, key: string | number | undefined, props: Object<string, any>, children: Child[]}} VNode
 * @typedef {VNode | string} Child
 */

const SVG = "http://www.w3.org/2000/svg";
/** Set as properties: their attributes only give the first value. */
const PROPERTIES = new Set(["value", "checked", "disabled", "hidden", "indeterminate", "open"]);
/** What each element was last drawn from. @type {WeakMap<Element, VNode>} */
const drawn = new WeakMap();

/**
 * Return a node. Falsy children vanish, arrays are flattened. Props: `key` (stable identity among
 * siblings), `on<event>` (listener), `style` (object of CSS properties), `created` (called once with
 * the new element), `removed` (called when it goes), anything else an attribute; false, null and
 * undefined leave it out, true writes it empty.
 * @param {string} tag
 * @param {Object<string, any> | null} [props]
 * @param {...any} children
 * @returns {VNode}
 */
export function h(tag, props, ...children) {
  const { key, ...rest } = props ?? {};
  return { tag, key, props: rest, children: /** @type {Child[]} */ (flatten(children)) };
}

/** @param {any[]} children @returns {Child[]} */
function flatten(children) {
  const flat = [];
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === true) continue;
    flat.push(typeof child === "object" ? child : String(child));
  }
  return flat;
}

/**
 * Make the children of *parent* be *children*, keeping elements that stay (by key, else by place and tag).
 * @param {Element} parent
 * @param {any} children
 */
export function patch(parent, children) {
  patchChildren(parent, flatten([children]), parent.namespaceURI === SVG);
}

/** @param {Element} parent @param {Child[]} wanted @param {boolean} svg */
function patchChildren(parent, wanted, svg) {
  const keyed = new Map();
  const loose = [];
  for (const node of Array.from(parent.childNodes)) {
    const key = node instanceof Element ? drawn.get(node)?.key : undefined;
    if (key !== undefined) keyed.set(key, node);
    else loose.push(node);
  }
  let place = parent.firstChild;
  for (const child of wanted) {
    const node = take(child, keyed, loose) ?? create(child, svg);
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
    if (typeof child !== "string") update(/** @type {Element} */ (node), child, svg);
  }
  for (const node of [...keyed.values(), ...loose]) discard(node);
}

/**
 * Take out of the old nodes the one that *child* can be drawn into.
 * @param {Child} child @param {Map<any, Node>} keyed @param {Node[]} loose
 */
function take(child, keyed, loose) {
  if (typeof child !== "string" && child.key !== undefined) {
    const node = keyed.get(child.key);
    if (!node || drawn.get(/** @type {Element} */ (node))?.tag !== child.tag) return null;
    keyed.delete(child.key);
    return node;
  }
  const index = loose.findIndex((node) =>
    typeof child === "string"
      ? node.nodeType === Node.TEXT_NODE
      : node instanceof Element && drawn.get(node)?.tag === child.tag,
  );
  if (index < 0) return null;
  const [node] = loose.splice(index, 1);
  if (typeof child === "string" && node.nodeValue !== child) node.nodeValue = child;
  return node;
}

/** @param {Child} child @param {boolean} svg @returns {Node} */
function create(child, svg) {
  if (typeof child === "string") return document.createTextNode(child);
  const inside = svg || child.tag === "svg";
  const element = inside ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
  drawn.set(element, { tag: child.tag, key: child.key, props: {}, children: [] });
  return element;
}

/** @param {Element} element @param {VNode} node @param {boolean} svg */
function update(element, node, svg) {
  const before = /** @type {VNode} */ (drawn.get(element));
  drawn.set(element, node);
  const fresh = before.children.length === 0 && Object.keys(before.props).length === 0;
  for (const name of Object.keys(before.props)) {
    if (!(name in node.props)) setProp(element, name, undefined, before.props[name]);
  }
  // A <select> must have its options before its value.
  if (node.tag !== "select") setProps(element, node.props, before.props);
  patchChildren(element, node.children, svg || node.tag === "svg");
  if (node.tag === "select") setProps(element, node.props, before.props);
  if (fresh && node.props.created) queueMicrotask(() => node.props.created(element));
}

/** @param {Element} element @param {Object<string, any>} props @param {Object<string, any>} before */
function setProps(element, props, before) {
  for (const [name, value] of Object.entries(props)) setProp(element, name, value, before[name]);
}

/** @param {any} element @param {string} name @param {any} value @param {any} before */
function setProp(element, name, value, before) {
  if (name === "created" || name === "removed") return;
  if (name.startsWith("on")) {
    // What a listener returns means nothing: false would silently cancel what the browser does.
    element[name] = value ? (/** @type {Event} */ event) => void value(event) : null;
  } else if (name === "style") {
    for (const property of Object.keys(before ?? {})) {
      if (!(property in (value ?? {}))) element.style.removeProperty(property);
    }
    for (const [property, text] of Object.entries(value ?? {}))
      element.style.setProperty(property, String(text));
  } else if (PROPERTIES.has(name) && element.namespaceURI !== SVG && element.localName !== "option") {
    // (An option's value is set as an attribute: without one it is the option's text, which follows later.)
    // Compared with the element, not with the last drawing: the user may have typed since.
    if (name === "open" && element.localName === "dialog") return;
    const wanted = value ?? (name === "value" ? "" : false);
    if (element[name] !== wanted && !(name === "value" && element[name] === String(wanted)))
      element[name] = wanted;
  } else if (value !== before) {
    if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** @param {Node} node */
function discard(node) {
  if (node instanceof Element) {
    for (const element of [node, ...node.querySelectorAll("*")]) drawn.get(element)?.props.removed?.(element);
  }
  node.parentNode?.removeChild(node);
}
