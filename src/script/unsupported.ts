import type { JobConfig } from '../domain/job/job.ts'
import { keysWithoutEffect } from '../domain/request/keys-without-effect.ts'
import { bash, quote } from './shell/bash.ts'
import { firstText } from './first-text.ts'
import { say } from './steps.ts'

/** Keys that describe the machine, and where the job knows what it really is. */
const machine = { os: 'SERVICE_OS_NAME', dist: 'SERVICE_DIST', arch: 'SERVICE_CPU_ARCH' }

/**
 * Program text that lists, in yellow, what of the config has no effect in this version, and what of
 * it the machine is not. What was only assumed was not asked for.
 */
export function unsupported(config: JobConfig, assumed: readonly string[]): string {
  const ignored = keysWithoutEffect(config).map((text) => say('yellow', text))
  const other = Object.entries(machine).flatMap(([key, variable]) => {
    const asked = assumed.includes(key) ? undefined : firstText(config[key])
    return asked === undefined ? [] : otherMachine(key, asked, variable)
  })
  return [...ignored, ...other].join('\n')
}

function otherMachine(key: string, asked: string, variable: string): string {
  const said = `.service.yml asks for "${key}: ${asked}", and the job runs on `
  const isThat = bash`[[ $${variable} == ${quote(asked)} ]]`
  return bash`${isThat} || __service_say yellow ${quote(said)}"$\{${variable}:-an unknown one}."`
}
