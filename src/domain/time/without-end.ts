/**
 * Removes these characters from the end of a text. A regular expression would start at each of them, and
 * take time quadratic in their number.
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
