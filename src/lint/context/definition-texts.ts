import type { StrNode } from '../../buildfile/tree/node.ts'
import type { LintContext } from './context.ts'
import { writtenNodes } from './written.ts'

export interface DefinitionText {
  node: StrNode
  path: readonly string[]
}

/** Texts that define variables, right under `env` or its parts: deeper texts are values. Call via `once`. */
export function definitionTexts({ once }: LintContext): readonly DefinitionText[] {
  const found: DefinitionText[] = []
  for (const { node, path } of once(writtenNodes)) {
    if (node.kind === 'str' && isDefinitions(path)) found.push({ node, path })
  }
  return found
}

/** Whether a path is below an `env` of job variables; the `env` of a deployment is a separate value. */
export function isInEnv(path: readonly string[]): boolean {
  const at = path.indexOf('env')
  return at !== -1 && !path.slice(0, at).includes('deploy')
}

/** Whether the file has an encrypted value for a variable of this name. */
export function isEncrypted({ once }: LintContext, name: string): boolean {
  if (isEnvSection(name)) return false
  return once(writtenNodes).some(
    ({ node, path }) =>
      node.kind === 'secure' && path.at(-1) === name && isInEnv(path.slice(0, -1)),
  )
}

function isDefinitions(path: readonly string[]): boolean {
  const last = path.at(-1) ?? ''
  return (last === 'env' || (path.at(-2) === 'env' && isEnvSection(last))) && isInEnv(path)
}

/** Whether a key of `env` is a section with variables, not a variable. */
export function isEnvSection(name: string): boolean {
  return /^(?:global|jobs|matrix)$/.test(name)
}
