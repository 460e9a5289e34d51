// Messages about languages whose tools are missing on the machine of a job (D42).

/**
 * How requested versions are met: only by matching versions, by any version present, or by the image that
 * was chosen for them, whose programs may name themselves otherwise.
 */
export type LanguageVersions = 'exact' | 'present' | 'image'

/**
 * The setting that decides which programs a job finds: the folders of the service or of the caller, or the
 * images of containers.
 */
export type PathVariable = 'RUNNER_PATH' | 'PATH' | 'IMAGES'

const remedies: Readonly<Record<PathVariable, string>> = {
  RUNNER_PATH:
    'Install it on the machine of the runner, in a folder of RUNNER_PATH that jobs can read',
  PATH: 'Install it in a folder of your PATH that jobs can enter',
  IMAGES: 'Have an administrator name an image that has it in the setting IMAGES',
}

export function missingTool(language: string, tool: string, variable: PathVariable): string {
  const lacking =
    variable === 'IMAGES'
      ? 'which its image does not have.'
      : 'which jobs do not find on this machine.'
  return `Language "${language}" needs ${tool}, ${lacking} ${remedies[variable]}, or change .service.yml.`
}

export interface Versions {
  /** The file that requests the version. */
  file: string
  /** The request as written in that file: `node_js: 8`. */
  asked: string
  found: string
}

export function missingVersion({ file, asked, found }: Versions, variable: PathVariable): string {
  return (
    `${file} asks for "${asked}", and this machine has ${found}. ${remedies[variable]}, ask for an installed ` +
    'version, or let jobs run with an installed one (LANGUAGE_VERSIONS=present).'
  )
}

export function otherVersion({ file, asked, found }: Versions): string {
  return `${file} asks for "${asked}", which jobs do not find on this machine: the job runs with ${found}.`
}

/** Note about another version, where only the job's log names the file and the version it requests. */
export function otherVersionThanFiles(language: string, found: string): string {
  return (
    `A file of the repository asks for a version of language "${language}" that jobs do not find on this ` +
    `machine, as their logs say: the job runs with ${found}.`
  )
}

/**
 * The number of jobs of a run on the caller's machine that had another version; a service ends them with an
 * error.
 */
export function otherVersionsOf(count: number, total: number): string {
  return (
    `${count} of ${total} ${total === 1 ? 'job' : 'jobs'} ran with a version other than the one the project ` +
    'asks for (see the log). By default, a service ends such jobs with an error (LANGUAGE_VERSIONS).'
  )
}

/** `asked` is as in the build file: `otp_release: 22`. */
export function versionNotLookedUp(asked: string): string {
  return (
    `.service.yml asks for "${asked}", and this version of the service cannot check whether this machine ` +
    'has it: the job runs with the installed version.'
  )
}

/** Languages whose jobs run only the commands of their build file, and are errored without a `script`. */
export const languagesWithoutCommands: readonly string[] = [
  'android',
  'matlab',
  'objective-c',
  'smalltalk',
]

/** Why a job of a language that does not exist needs a `script`. */
export function unknownLanguage(requested: string): string {
  return (
    `There is no language "${requested}", so the job has no default commands: correct "language" in ` +
    '.service.yml, or add a script.'
  )
}

/** Why a job of a language without default commands needs a `script`. */
export function withoutScript(language: string): string {
  return (
    `This version of the service has no default commands for ${language}: add a script to ` +
    '.service.yml.'
  )
}
