// What every page's scripts find in the browser beyond its standard: htmx, the detector of QR codes, and our events.
// Only `make lint-scripts` and editors read this file.

interface Window {
  htmx: {
    ajax(method: string, path: string, context: { source: Element; target: string | null; swap: string }): Promise<void>;
    process(element: Element): void;
    trigger(element: Element, event: string): void;
    createEventSource: (url: string) => EventTarget;
  };
  /** In some browsers. TypeScript does not know it. */
  BarcodeDetector?: {
    new (options: { formats: string[] }): { detect(picture: HTMLVideoElement): Promise<{ rawValue: string }[]> };
    getSupportedFormats(): Promise<string[]>;
  };
}

// Every element of our pages is one of HTML, save the pictures, which no script looks for.
interface ParentNode {
  querySelector<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
  querySelector<E extends Element = HTMLElement>(selectors: string): E | null;
  querySelectorAll<K extends keyof HTMLElementTagNameMap>(selectors: K): NodeListOf<HTMLElementTagNameMap[K]>;
  querySelectorAll<E extends Element = HTMLElement>(selectors: string): NodeListOf<E>;
}

interface Element {
  closest<K extends keyof HTMLElementTagNameMap>(selector: K): HTMLElementTagNameMap[K] | null;
  closest<E extends Element = HTMLElement>(selectors: string): E | null;
}


interface HtmxDetail {
  elt: HTMLElement;
  target: HTMLElement;
  xhr: XMLHttpRequest;
  requestConfig?: { elt: HTMLElement; verb: string; triggeringEvent?: Event };
  successful?: boolean;
  failed?: boolean;
  shouldSwap?: boolean;
  isError?: boolean;
  swapOverride?: string;
}

/** An event that a listener on the document receives from one of its elements, or from itself. */
type Bubbling<E extends Event = Event, T extends Element = HTMLElement> = E & { readonly target: Node & Partial<T> };
type HtmxEvent = CustomEvent<HtmxDetail> & { readonly target: HTMLElement };

interface DocumentEventMap {
  click: Bubbling<PointerEvent>;
  change: Bubbling;
  input: Bubbling<Event, HTMLInputElement>;
  toggle: Bubbling<ToggleEvent, HTMLDetailsElement>;
  keydown: KeyboardEvent & { readonly target: Element };
  submit: SubmitEvent & { readonly target: HTMLFormElement };

  /** The dice of a form were changed by script. */
  dice: Bubbling;
  /** What the live region shall announce, or a function that returns it. */
  say: CustomEvent<string | (() => string)>;
  "board:sorted": CustomEvent;

  "htmx:afterRequest": HtmxEvent;
  "htmx:afterSettle": HtmxEvent;
  "htmx:afterSwap": HtmxEvent;
  "htmx:beforeRequest": HtmxEvent;
  "htmx:beforeSwap": HtmxEvent;
  "htmx:load": HtmxEvent;
  "htmx:responseError": HtmxEvent;
  "htmx:sendError": HtmxEvent;
  "htmx:sseBeforeMessage": HtmxEvent;
  "htmx:sseMessage": HtmxEvent;
  "htmx:timeout": HtmxEvent;
}
