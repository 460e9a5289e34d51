import { isMap, isSecure } from '../domain/config-value.ts'
import { mostSecretBytes } from '../domain/env-var.ts'
import type { ScriptInput } from './input.ts'

type Given = Pick<ScriptInput, 'config' | 'decrypt' | 'variables'>

/**
 * Why a job is not run whose secrets cannot all be searched for in its log; undefined for most. `others`
 * are those besides the variables.
 */
export function tooManySecrets(
  { config, decrypt, variables }: Given,
  others: readonly string[],
): string | undefined {
  const ofSettings = variables.filter((variable) => !variable.public).map(({ value }) => value)
  const values = new Set([...ofSettings, ...decryptedIn(config.env, decrypt), ...others])
  const bytes = [...values].reduce((sum, value) => sum + Buffer.byteLength(value), 0)
  if (bytes <= mostSecretBytes) return undefined
  return (
    `The job is not run: its secret values have ${counted(bytes)} bytes, and at most ` +
    `${counted(mostSecretBytes)} can be masked in a log. Make variables of the settings of the repository or ` +
    'its owner shorter or public, limit them to the branches that need them, or fetch long ones in the job.'
  )
}

function decryptedIn(value: unknown, decrypt: ScriptInput['decrypt']): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => decryptedIn(each, decrypt))
  if (isSecure(value)) return [decrypt?.(String(value.secure)) ?? '']
  if (!isMap(value)) return []
  return Object.values(value).flatMap((each) => decryptedIn(each, decrypt))
}

function counted(bytes: number): string {
  return bytes.toLocaleString('en-US')
}
