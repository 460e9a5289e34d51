import type { StrNode } from '../../buildfile/tree/node.ts'
import type { Context } from './context.ts'
import { writtenNodes } from './written.ts'

export interface DefinitionText {
  node: StrNode
  path: readonly string[]
}

/** The texts that define variables, right under `env` and its parts: deeper ones are values. By `once`. */
export function definitionTexts({ once }: Context): readonly DefinitionText[] {
  return once(writtenNodes).flatMap(({ node, path }) =>
    node.kind === 'str' && isDefinitions(path) ? [{ node, path }] : [],
  )
}

function isDefinitions(path: readonly string[]): boolean {
  const [last, before] = [path.at(-1), path.at(-2)]
  return last === 'env' || (before === 'env' && isEnvSection(last ?? ''))
}

/** Whether a key of `env` holds variables of its own, rather than being one. */
export function isEnvSection(name: string): boolean {
  return /^(?:global|jobs|matrix)$/.test(name)
}
