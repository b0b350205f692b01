// Whether a row is what someone searches for, as scorekeeper/common/search_text.py says it: by number, or by words of
// the name that is shown. A test compares the two for every character.

export const MAX_SEARCHED = 100; // characters

const PLAIN = { ø: "o", đ: "d", ð: "d", ħ: "h", ł: "l", ŧ: "t", ı: "i", ς: "σ", æ: "ae", œ: "oe", þ: "th" };
const TRANSCRIBED = { ä: "ae", ö: "oe", ü: "ue", ø: "oe", å: "aa" };
// eslint-disable-next-line no-misleading-character-class -- each is a mark by itself
const MARKS = /[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\u{e0100}-\u{e01ef}]/gu;
const NUMBER = /^[1-9][0-9]{0,4}[a-z]{0,2}(\([0-9]*\)?)?(\/[0-9]*)?$/;

const replace = (text, table) => [...text].map((char) => table[char] ?? char).join("");
const dropSigns = (text) => text.replace(/[#№＃]/g, " ");

function readDigit(char) {
  let before = 0;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(char.codePointAt(0) - before - 1))) before += 1;
  return String(before % 10);
}

const readDigits = (text) => text.replace(/[^0-9\P{Nd}]/gu, readDigit);

const compose = (text) => text.normalize("NFC").toLowerCase().trim();

function fold(text) {
  const letters = dropSigns(text).normalize("NFKD").toLowerCase().toUpperCase().toLowerCase().normalize("NFKD");
  return replace(letters.replace(MARKS, ""), PLAIN);
}

const split = (folded) => folded.replace(/\p{Cf}/gu, "").split(/[\p{Z}\p{P}\p{Cc}\p{Sk}]+/u).filter(Boolean).map(readDigits);

/**
 * Return the words of a text, each in its two spellings.
 * @param {string} text
 * @returns {string[][]}
 */
export function listWords(text) {
  const transcribed = split(fold(replace(compose(text), TRANSCRIBED)));
  return split(fold(text)).map((word, index) => [word, transcribed[index]]);
}

const makeNumberKey = (text) => readDigits(dropSigns(text).normalize("NFKC")).toLowerCase().replace(/\s+/gu, "").replace(/^0+/, "");

/**
 * Return a function that says how well a row matches, from 0, the best, to 3; undefined if it does not.
 * @param {string} text what was typed.
 * @returns {(number: string, name: string) => number | undefined}
 */
export function makeMatcher(text) {
  const searched = [...text].slice(0, MAX_SEARCHED).join("");
  const number = makeNumberKey(searched);
  const isNumber = NUMBER.test(number);
  const words = listWords(searched);
  const raw = words.length ? "" : compose(searched);
  return (shownNumber, name) => {
    const key = makeNumberKey(shownNumber);
    if (isNumber && key.startsWith(number)) return key === number ? 0 : 1;
    if (!words.length) return raw && compose(name).includes(raw) ? 3 : undefined;
    const shown = listWords(name);
    const beginsNumber = (word) => key !== "" && key.startsWith(word[0].replace(/^0+/, "") || word[0]);
    const begins = (word) => shown.some((one) => one.some((spelling) => word.some((typed) => spelling.startsWith(typed))));
    if (words.every((word) => beginsNumber(word) || begins(word))) return 2;
    const texts = [0, 1].map((spelling) => shown.map((word) => word[spelling]).join(""));
    const isIn = (word) => texts.some((shownText) => word.some((typed) => shownText.includes(typed)));
    return words.every((word) => beginsNumber(word) || isIn(word)) ? 3 : undefined;
  };
}
