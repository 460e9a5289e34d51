import { randomUUID } from 'node:crypto'
import { isMap, isSecure } from '../domain/config/config-value.ts'
import { mostSecretBytes } from '../domain/env-var.ts'
import type { JobConfig } from '../domain/job/job.ts'
import { effectNotes } from '../domain/job/keys-without-effect.ts'
import { versionNotLookedUp } from '../domain/job/language-tools.ts'
import { openSshForm } from '../secrets/openssh-private-key.ts'
import { noProgram } from '../texts/log-endings.ts'
import { addonsProgram } from './addons/addons.ts'
import { checkoutFolder } from './checkout.ts'
import { cloneProgram } from './clone.ts'
import { firstText } from './first-text.ts'
import type { ScriptInput } from './input.ts'
import { checkTool } from './language/check-tool.ts'
import { type ChosenLanguage, chooseLanguage } from './language/choose-language.ts'
import { languageTool, uncheckedVersion } from './language/language-tools.ts'
import { imageTools, packageHomes, toolHomes } from './language/tool-homes.ts'
import { type OpenedConfig, openConfig } from './open-config.ts'
import { userPhases } from './phases.ts'
import { bash, quote } from './shell/bash.ts'
import { stepsOf } from './shell/lines.ts'
import { shellHelpers } from './shell/shell-helpers.ts'
import { shellHints } from './shell/shell-hints.ts'
import { shellLog } from './shell/shell-log.ts'
import { handSecrets, keepOptions, shellRun } from './shell/shell-run.ts'
import { shellTools } from './shell/shell-tools.ts'
import { shellVersions } from './shell/shell-versions.ts'
import { sshAgent } from './ssh-agent.ts'
import { renderPhase, say } from './steps.ts'
import { Uncompilable } from './uncompilable.ts'
import { configEnv } from './variables/config-env.ts'
import { environment } from './variables/environment.ts'
import { type JobVariables, jobVariables } from './variables/job-variables.ts'

export interface Programs {
  clone: string
  job: string
  /** The key that both programs read from descriptor 4, if there is one. */
  ssh_key: string | null
  /** Texts that must not appear in the log. */
  secrets: string[]
  /** Nonce in the markers of values that `job` hands over for masking; null if it hands over none. */
  mask_nonce: string | null
}

/**
 * Generates the two bash programs of a job. `clone` ends with 0, 2 or one of `clone-codes.ts`; `job` with 0
 * (passed), 1 (failed) or anything else (errored). They share the home directory and nothing else.
 */
export function compileScript(given: ScriptInput): Programs {
  const opened = openConfig(given.config, given.decrypt)
  const { config, secrets } = opened
  const key = given.ssh_key
  const ssh_key = key && { ...key, text: openSshForm(key.text) }
  const input = { ...given, config, ssh_key }
  // The key as given is secret as well: it is the same key in another form.
  const keys = [key, ssh_key].flatMap((each) => each?.text ?? [])
  const refusal = tooManySecrets(given, [...keys, ...secrets])
  if (refusal !== undefined) return refused(refusal)
  const { job, secrets: others, mask_nonce } = jobProgram(input, given.config, opened)
  return {
    clone: cloneProgram(input),
    job,
    ssh_key: ssh_key && ssh_key.text,
    secrets: [...new Set([...keys, ...secrets, ...others])],
    mask_nonce,
  }
}

/** Programs that only print why the job is not run, and contain none of its secrets. */
function refused(reason: string): Programs {
  const program = asOne([shellLog, say('red', reason), 'exit 2'])
  return { clone: program, job: program, ssh_key: null, secrets: [], mask_nonce: null }
}

function jobProgram(
  input: ScriptInput,
  written: JobConfig,
  opened: Pick<OpenedConfig, 'notes' | 'withheld'>,
): Pick<Programs, 'job' | 'secrets' | 'mask_nonce'> {
  const nonce = randomUUID()
  try {
    const { notes, withheld, ...env } = configEnv(input.config.env, input.decrypt)
    const file = {
      ...env,
      notes: [...notes, ...opened.notes],
      withheld: withheld || opened.withheld,
    }
    const variables = jobVariables(input, file, nonce)
    return {
      job: asOne(programParts(input, written, variables, nonce)),
      secrets: variables.secrets,
      mask_nonce: variables.handed ? nonce : null,
    }
  } catch (error) {
    if (!(error instanceof Uncompilable)) throw error
    const parts = [say('red', noProgram), say('red', error.message)]
    return { job: asOne([shellLog, ...parts, 'exit 2']), secrets: [], mask_nonce: null }
  }
}

/**
 * Bash reads a group to its end before it runs any of it: later neither `set -v` nor a user's
 * aliases get to see our part of the program.
 */
function asOne(parts: readonly string[]): string {
  return ['{', 'exec </dev/null', ...parts, '}', ''].join('\n')
}

function programParts(
  input: ScriptInput,
  written: JobConfig,
  variables: JobVariables,
  nonce: string,
): string[] {
  const language = chooseLanguage(input.config)
  return [
    'if [[ -s $HOME/.bash_profile ]]; then source "$HOME/.bash_profile"; fi',
    keepOptions,
    ...[shellLog, shellHelpers, shellHints, shellRun, shellVersions, shellTools],
    variables.handed ? handSecrets(nonce) : '',
    enter(input.repository.slug),
    systemInfo(language.name),
    language.note,
    environment(input, language, { hasSecrets: variables.secrets.length > 0 }),
    ...notesOf(written, input).map((text) => say('yellow', text)),
    sshAgent(input.ssh_key, 'job'),
    variables.program,
    input.versions === 'image' ? addonsProgram(input.config) : '',
    tools(input, language),
    announcement(language),
    userPhases(input.config, language, input.path_variable),
    '__service_finish "${__service_result:-86}"',
  ]
}

function notesOf(written: JobConfig, { assumed, versions }: ScriptInput): string[] {
  return effectNotes(written, assumed, { inContainer: versions === 'image' })
}

function enter(slug: string): string {
  const folder = `"$HOME/"${quote(checkoutFolder(slug))}`
  return `command -p mkdir -p ${folder}
if ! cd ${folder}; then
  __service_say red 'The folder of the build cannot be entered.'
  __service_finish 86
fi`
}

const release = bash`
__service_release() { # name of a value in the file that describes the system
  if [[ -r /etc/os-release ]]; then (source /etc/os-release && builtin printf '%s' "$\{!1}"); fi
}
service_fold start system_info
builtin printf 'Operating system: %s\n' "$(__service_release PRETTY_NAME)"
builtin printf 'Kernel: %s\n' "$(command -p uname -sr)"
builtin printf 'Shell: bash %s\n' "$BASH_VERSION"`

function systemInfo(language: string): string {
  return [
    release,
    `builtin printf 'Language: %s\\n' ${quote(language)}`,
    'service_fold end system_info',
  ].join('\n')
}

/**
 * Ends a job whose language or version is missing, or that has nothing to run. A language that the file
 * does not request, for example because it only has a script, may be missing.
 */
function tools(input: ScriptInput, { name, without_script }: ChosenLanguage): string {
  const { config, assumed, versions, path_variable } = input
  const steps = stepsOf('script', config.script, [])
  const hasScript = steps.some((step) => !('run' in step) || step.run.trim() !== '')
  if (without_script !== undefined && !hasScript) {
    return `__service_lacks ${quote(without_script)}`
  }
  const tool = languageTool(name, config)
  const inContainer = versions === 'image'
  const unchecked = inContainer && name !== 'elm' ? undefined : uncheckedVersion(name, config)
  const note = unchecked === undefined ? '' : say('yellow', versionNotLookedUp(unchecked))
  const isAsked =
    !assumed.includes('language') ||
    !hasScript ||
    (tool?.key !== undefined && firstText(config[tool.key]) !== undefined)
  const wanted = tool && isAsked && { language: name, tool, config, versions, path_variable }
  return [
    inContainer ? imageTools(name, config) : '',
    wanted ? checkTool(wanted) : '',
    note,
    packageHomes,
    wanted ? toolHomes(name, input) : '',
  ]
    .filter(Boolean)
    .join('\n')
}

function announcement({ announce }: ChosenLanguage): string {
  const steps = announce.map((run) => {
    const [program = ''] = run.split(' ')
    return { when: `__service_has ${quote(program)}`, yes: [{ run }], no: [] }
  })
  return renderPhase({ name: 'announce', kind: 'quick', folded: false, steps })
}

type Given = Pick<ScriptInput, 'config' | 'decrypt' | 'variables'>

/**
 * Why a job with too many secrets to mask in its log is not run; undefined for most jobs. `others` are
 * the secrets other than variables.
 */
function tooManySecrets(
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
