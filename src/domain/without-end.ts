/**
 * A text without these characters at its end. A regular expression would begin at each of them, and take as long
 * as their number squared.
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
