import { visible } from '../domain/visible.ts'

/**
 * The name of a file as it begins a line. GitHub Actions, and others, take a line that begins with
 * `::` or `##[` for a command.
 */
export function plainName(file: string): string {
  const name = visible(file)
  return /^\s*(?:::|##)/.test(name) ? `./${name}` : name
}
