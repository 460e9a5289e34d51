/**
 * The forms in which a secret word of bash can become visible: as written, without its quotes, and the
 * parts that do not depend on the variables in it.
 */
export function secretForms(word: string): string[] {
  const literal = withoutQuotes(word)
  const parts = literal.split(expansion).filter((part) => part.length >= shortestPart)
  return [...new Set([word, literal, ...parts])]
}

/** An expansion ends at the next `$`, so that each character is read only once. */
const expansion = /\$\{[^}$]*\}|\$\([^)$]*\)|`[^`]*`|\$\w+/

/** Shorter parts would mask words that have nothing to do with the secret. */
const shortestPart = 8

/** Removes quotes and backslashes of bash; expansions stay as they are written. */
export function withoutQuotes(word: string): string {
  let text = ''
  let quote = ''
  for (let at = 0; at < word.length; at += 1) {
    const char = word.charAt(at)
    const next = word.charAt(at + 1)
    if (char === quote) quote = ''
    else if (quote === '' && (char === '"' || char === "'")) quote = char
    else if (char === '\\' && isEscape(quote, next)) {
      text += next === '\n' ? '' : next
      at += 1
    } else text += char
  }
  return text
}

/** Whether a backslash escapes `next`: within double quotes, it is literal before most characters. */
function isEscape(quote: string, next: string): boolean {
  if (quote === "'" || next === '') return false
  return quote === '' || ['"', '\\', '$', '`', '\n'].includes(next)
}
