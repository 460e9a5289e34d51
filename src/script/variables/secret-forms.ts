/**
 * What of a secret word of bash can be seen when it is used: as it is written, without its quotes,
 * and the parts that stay the same whatever the variables in it are.
 */
export function secretForms(word: string): string[] {
  const literal = withoutQuotes(word)
  const parts = literal.split(expansion).filter((part) => part.length >= shortestPart)
  return [...new Set([word, literal, ...parts])]
}

/** It ends at the next `$`, so that each character is looked at once. */
const expansion = /\$\{[^}$]*\}|\$\([^)$]*\)|`[^`]*`|\$\w+/

/** Shorter ones would cover words that have nothing to do with the secret. */
const shortestPart = 8

/** Quotes and backslashes of bash removed; what it would expand stays as it is written. */
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

/** Within double quotes a backslash stands for itself before most characters. */
function isEscape(quote: string, next: string): boolean {
  if (quote === "'" || next === '') return false
  return quote === '' || ['"', '\\', '$', '`', '\n'].includes(next)
}
