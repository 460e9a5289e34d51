import { type DrawnStyle, plainDrawn } from '../../../terminal/drawn-style.ts'

/** The classes of the style sheet for a style, separated by blanks; empty for plain text. */
export function classesOf(style: DrawnStyle): string {
  if (style === plainDrawn) return ''
  return [
    style.ground === null ? '' : `on on-${style.ground}`,
    style.colour === null ? '' : `ink-${style.colour}`,
    style.bold ? 'bold' : '',
    style.faint ? 'dim' : '',
    style.italic ? 'italic' : '',
    style.underline ? 'underline' : '',
    style.strike ? 'strike' : '',
  ]
    .filter((name) => name !== '')
    .join(' ')
}
