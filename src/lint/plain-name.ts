import { visible } from '../domain/text/escape-control-characters.ts'

/**
 * A file name for the start of a line. GitHub Actions and others read a line that begins with `::` or
 * `##[` as a command.
 */
export function plainName(file: string): string {
  const name = visible(file)
  return /^\s*(?:::|##)/.test(name) ? `./${name}` : name
}
