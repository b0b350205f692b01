// What the tests measure on a page: one function each, all on `window.measure`. Sizes are CSS pixels.

window.measure = (() => {
  const CONTROLS = "a[href], button, summary, select, textarea, input:not([type=hidden]), .place--toggle, [role=button]";

  const CLIPPED = "clipped"; // for screen readers only

  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && element.getClientRects().length > 0 && !element.closest(".visually-hidden, .skip-link");
  const name = (element) => `${element.tagName.toLowerCase()}.${element.className} “${element.textContent.trim().slice(0, 30)}”`;
  const rgb = (text) => text.match(/[\d.]+/g).map(Number);

  const isOpaque = (text) => rgb(text)[3] !== 0;

  function luminance(colour) {
    const [r, g, b] = colour.map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  function contrast(one, other) {
    const [dark, light] = [luminance(rgb(one).slice(0, 3)), luminance(rgb(other).slice(0, 3))].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  }

  function ground(element) {
    for (let one = element; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if (isOpaque(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  }

  // A check box or a radio button is pressed by its label, too; a link within a sentence has the line's height.
  function target(element) {
    const label = element.matches("input[type=checkbox], input[type=radio]") ? element.closest("label") : null;
    return (label ?? element).getBoundingClientRect();
  }

  const isInSentence = (element) => element.matches("a") && getComputedStyle(element).display === "inline"
    && element.parentElement.textContent.trim() !== element.textContent.trim();

  const controls = () => [...document.querySelectorAll(CONTROLS)].filter(isShown);

  // All that the contrast of a text depends on: its colour, whether it is large, and the grounds behind it.
  function look(element, known = new Map()) {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    const isLarge = parseFloat(fontSize) >= (fontWeight >= 700 ? 18.67 : 24);
    return `${color} ${isLarge ? "large" : "small"} ${textShadow} on ${grounds(element, known)}`;
  }

  function grounds(element, known) {
    if (!element) return "";
    if (!known.has(element)) {
      const { backgroundColor, backgroundImage, filter, opacity, position } = getComputedStyle(element);
      const isLoose = ["absolute", "fixed", "sticky"].includes(position); // it may lie on anything
      const own = [
        isOpaque(backgroundColor) && backgroundColor,
        backgroundImage !== "none" && backgroundImage,
        filter !== "none" && `filter ${filter}`,
        opacity !== "1" && `opacity ${opacity}`,
        isLoose && (element.offsetWidth <= 1 ? CLIPPED : `${element.tagName}.${element.className}`),
      ].filter(Boolean);
      const behind = grounds(element.parentElement, known);
      // Nothing is seen behind a colour without alpha, unless the whole is seen through, too.
      const isCovering = rgb(backgroundColor).length === 3 && ![CLIPPED, "filter ", "opacity "].some((what) => behind.includes(what));
      known.set(element, [...own, isCovering ? "" : behind].join(" "));
    }
    return known.get(element);
  }

  const hasText = (element) => element.matches("input:not([type=hidden], [type=checkbox], [type=radio]), select, textarea")
    || [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());

  // All that axe's rules about an element depend on, save its look, its size and its words: its own attributes, whether it
  // has words, whether it scrolls, and what it is in.
  const VALUES = /^(role|type|tabindex|scope|autocomplete|lang|dir|hidden|disabled|contenteditable)$/;
  const REFERENCES = /^(for|headers|aria-(labelledby|describedby|controls|owns|details|activedescendant|errormessage))$/;
  const WORDS = /^(alt|title|href|aria-(label|placeholder|roledescription|valuetext|valuenow))$/;
  const STRUCTURES = "ul, ol, dl, table, thead, tbody, tfoot, tr, select, details, fieldset, figure, [role], [aria-hidden]";

  function describeAttribute({ name: attribute, value }) {
    if (REFERENCES.test(attribute)) return `${attribute} ${value.split(/\s+/).every((id) => document.getElementById(id))}`;
    if (WORDS.test(attribute)) return `${attribute} ${value.trim() !== ""}`;
    return VALUES.test(attribute) || attribute.startsWith("aria-") ? `${attribute}=${value}` : "";
  }

  function kind(element) {
    const { parentElement: around, scrollWidth, scrollHeight, clientWidth, clientHeight } = element;
    const attributes = [...element.attributes].map(describeAttribute).filter(Boolean).sort();
    const isOver = scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;
    return [
      element.tagName,
      ...attributes,
      element.labels?.length > 0 && "labelled",
      element.textContent.trim() !== "" && "with words",
      isOver && getComputedStyle(element).overflow !== "visible" && "scrolls",
      isInSentence(element) && element.className,
      around?.matches(STRUCTURES) && `in ${[around.tagName, around.role, around.ariaHidden]}`,
      around?.closest(CONTROLS) && "in a control",
    ].filter(Boolean).join(" ");
  }

  // All texts that can be read; of those in disabled controls nothing is demanded.
  const listTexts = () => [...document.querySelectorAll("body, body *")].filter((one) => hasText(one) && isShown(one)
    && !one.closest("script, style, option, :disabled, [aria-disabled=true]"));

  // Where a box that hides what does not fit ends above and below; null where none does, or where it scrolls.
  function findClip(element) {
    for (let one = element; one && one !== document.body; one = one.parentElement) {
      const { overflowY } = getComputedStyle(one);
      if (overflowY === "hidden" || overflowY === "clip") return one.getBoundingClientRect();
      if (overflowY !== "visible") return null;
    }
    return null;
  }

  // The lines in such boxes, with how far their letters reach. A line wholly outside, after the dots, is no line.
  function listLines() {
    const brush = document.createElement("canvas").getContext("2d");
    const lines = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode;
      const element = text.parentElement;
      if (!text.data.trim() || element.closest("script, style, option, svg, .visually-hidden") || !isShown(element)) continue;
      const clip = findClip(element);
      if (!clip) continue;
      const { fontFamily, fontSize, fontWeight } = getComputedStyle(element);
      brush.font = `${fontWeight} ${fontSize} ${fontFamily}`;
      const { fontBoundingBoxAscent, actualBoundingBoxAscent, actualBoundingBoxDescent } = brush.measureText(text.data.trim());
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const box of range.getClientRects()) {
        const middle = (box.top + box.bottom) / 2;
        if (middle < clip.top || middle > clip.bottom || box.width < 1) continue;
        const baseline = box.top + fontBoundingBoxAscent;
        lines.push({ element, clip, ink: { top: baseline - actualBoundingBoxAscent, bottom: baseline + actualBoundingBoxDescent } });
      }
    }
    return lines;
  }

  function listDoubleIds() {
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    return ids.filter((id, place) => ids.indexOf(id) !== place).map((id) => `twice ${id}`);
  }

  // What axe demands of a page as a whole.
  const describePage = () => `a page ${["main", "h1", ".skip-link", "header", "title", "html[lang]"].map((what) => (document.querySelector(what) ? "with" : "without"))}`;

  const measurements = {
    look,

    // The kinds of all elements that axe judges, as far as it can tell them apart; an id that two elements have is one, too.
    kinds: () => {
      const judged = [...document.querySelectorAll("body *:not(script, style, svg *)")].filter((one) => one.checkVisibility({ visibilityProperty: true }));
      return [...new Set([...document.querySelectorAll("html, title, body"), ...judged].map(kind)), ...listDoubleIds(), describePage()];
    },

    // The looks of all texts.
    looks: () => {
      const known = new Map();
      return [...new Set(listTexts().map((one) => look(one, known)))].filter((one) => !one.includes(CLIPPED));
    },

    // The texts that have one of these looks, as elements.
    withLooks: (wanted) => {
      const known = new Map();
      return listTexts().filter((one) => wanted.includes(look(one, known)));
    },

    // Controls that are narrower or lower than that.
    small: (edge) => controls().filter((one) => !isInSentence(one))
      .map((one) => ({ one, box: target(one) }))
      .filter(({ box }) => Math.min(box.width, box.height) < edge - 0.5)
      .map(({ one, box }) => `${name(one)} ${box.width.toFixed()} x ${box.height.toFixed()}`),

    // What such a selector finds that is lower than that.
    low: (edge, selector) => [...document.querySelectorAll(selector)].filter(isShown)
      .filter((one) => one.getBoundingClientRect().height < edge).map(name),

    // Controls whose edge and ground melt into what is around them; one without either is known by its letters.
    faint: (least) => controls().filter((one) => one.matches("button, input, select, textarea, .button, .bike-row"))
      .filter((one) => !one.matches("[disabled]"))
      .filter((one) => {
        const whole = one.closest(".segments") ?? one; // the parts of a switch share one edge
        const around = ground(whole.parentElement);
        const { borderTopColor, borderTopWidth } = getComputedStyle(whole);
        const { backgroundColor, color } = getComputedStyle(one);
        const edge = parseFloat(borderTopWidth) > 0 && isOpaque(borderTopColor) ? contrast(borderTopColor, around) : 0;
        const own = isOpaque(backgroundColor) ? contrast(backgroundColor, around) : 0;
        const isBare = edge === 0 && own === 0;
        return isBare ? contrast(color, around) < least : Math.max(edge, own) < least;
      }).map(name),

    // Texts in smaller letters than that, outside of what such a selector finds.
    tiny: (size, outside = "script") => {
      const found = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || element.closest(`script, style, option, svg, ${outside}`) || !isShown(element)) continue;
        const shown = parseFloat(getComputedStyle(element).fontSize);
        if (shown < size) found.push(`${name(element)} ${shown}px`);
      }
      return found;
    },

    // Whether a form of several fields leaves more of the window's width empty than that. Titles and notices do not count.
    unused: (share) => {
      const main = document.querySelector("main");
      if ([...main.querySelectorAll("form .field")].filter(isShown).length < 2) return [];
      const isContent = (one) => isShown(one) && !one.closest("h1, .lead, .notice, .error-summary, script, style");
      const boxes = [...main.querySelectorAll("input:not([type=hidden]), select, textarea, button, .button, img, svg, table, iframe, .panel")]
        .filter(isContent).map((one) => one.getBoundingClientRect());
      const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        if (!walker.currentNode.data.trim() || !isContent(walker.currentNode.parentElement)) continue;
        const range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        boxes.push(...range.getClientRects());
      }
      const used = (Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left))) / window.innerWidth;
      return used < 1 - share ? [`fields use ${(used * 100).toFixed()} % of the width`] : [];
    },

    // Words that are drawn on two lines, save where they have a hyphen or a slash of their own.
    broken: () => {
      const found = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const text = walker.currentNode;
        if (text.parentElement.closest("script, style, option, code, pre, .visually-hidden") || !isShown(text.parentElement)) continue;
        for (const word of text.data.matchAll(/[^\s/\u2013-]+/g)) {
          const range = document.createRange();
          range.setStart(text, word.index);
          range.setEnd(text, word.index + word[0].length);
          const tops = [...range.getClientRects()].map((box) => box.top);
          if (Math.max(...tops) - Math.min(...tops) > 4) found.push(`${name(text.parentElement)} breaks “${word[0]}”`);
        }
      }
      return found;
    },

    // What sticks out of the screen sideways, the innermost first; nothing where the page does not scroll.
    wide: () => {
      const room = document.documentElement.clientWidth;
      if (document.documentElement.scrollWidth <= room) return [];
      const isOut = ({ left, right }) => (document.documentElement.dir === "rtl" ? left < -0.5 : right > room + 0.5);
      const out = [...document.querySelectorAll("body *")].filter((one) => isOut(one.getBoundingClientRect()));
      return out.filter((one) => ![...one.children].some((child) => out.includes(child))).map(name).concat(`${document.documentElement.scrollWidth} > ${room}`);
    },

    // What sticks out sideways of the control or field that it belongs to.
    spilled: () => [...document.querySelectorAll("button, .button, .dice-pad__face, .field")].filter(isShown).flatMap((one) => {
      const edge = one.getBoundingClientRect().right + 1;
      if (one.scrollWidth > one.clientWidth + 1) return [`its words of ${name(one)}`];
      return [...one.querySelectorAll("*")].filter((inner) => isShown(inner) && inner.getBoundingClientRect().right > edge)
        .map((inner) => `${name(inner)} of ${name(one)}`);
    }),

    // Labels of a picture that are drawn over each other.
    overlapping: () => [...document.querySelectorAll("svg")].filter(isShown).flatMap((picture) => {
      const labels = [...picture.querySelectorAll("text")].filter((one) => isShown(one) && one.textContent.trim())
        .map((one) => ({ text: one.textContent.trim(), box: one.getBoundingClientRect() }));
      const isOver = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
        && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
      return labels.flatMap((one, place) => labels.slice(place + 1).filter((other) => isOver(one.box, other.box))
        .map((other) => `“${one.text}” and “${other.text}”`));
    }),

    // Letters cut off by a box that neither grows nor scrolls: at its end, or above and below.
    cut: () => [
      ...[...document.querySelectorAll("button, .button, .badge, .plate, .box, h1, h2, th, td")].filter(isShown)
        .filter((one) => getComputedStyle(one).overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1).map(name),
      ...listLines().filter(({ ink, clip }) => ink.top < clip.top - 1 || ink.bottom > clip.bottom + 1)
        .map(({ element, ink, clip }) => `${name(element)} loses ${(clip.top - ink.top).toFixed(1)} above, ${(ink.bottom - clip.bottom).toFixed(1)} below`),
    ],

    // What these measurements find in a made-up language whose texts are some 40 % longer: it has every vowel twice.
    stretched: (...names) => {
      const kept = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const text = walker.currentNode;
        if (text.parentElement.closest("script, style, svg, code, pre, textarea")) continue;
        kept.push([text, text.data]);
        text.data = text.data.replace(/[aeiouyäöüáéíóúàèâêîôû]/gi, "$&$&");
      }
      const found = names.flatMap((what) => measurements[what]());
      kept.forEach(([text, data]) => { text.data = data; });
      return found;
    },

    // What these measurements find if the page is read from right to left.
    mirrored: (...names) => {
      const { dir } = document.documentElement;
      document.documentElement.dir = "rtl";
      const found = names.flatMap((what) => measurements[what]());
      document.documentElement.dir = dir;
      return found;
    },

    // What these measurements find with letters of twice the size.
    enlarged: (...names) => {
      document.documentElement.style.fontSize = "200%";
      const found = names.flatMap((what) => measurements[what]());
      document.documentElement.style.fontSize = "";
      return found;
    },
  };
  return measurements;
})();
