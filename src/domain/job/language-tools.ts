// What is said about a language whose tools are not on the machine of a job (D42).

/** How the versions that a build file asks for are met: only by such ones, or by what is there. */
export type LanguageVersions = 'exact' | 'present'

/** The variable whose folders a job looks for programs in: the service's own, or that of who calls. */
export type PathVariable = 'RUNNER_PATH' | 'PATH'

const remedies: Readonly<Record<PathVariable, string>> = {
  RUNNER_PATH:
    'Install it on the machine of the runner, in a folder of RUNNER_PATH that jobs can read',
  PATH: 'Install it in a folder of your PATH that jobs can enter',
}

export function missingTool(language: string, tool: string, variable: PathVariable): string {
  return `Language "${language}" needs ${tool}, which jobs do not find on this machine. ${remedies[variable]}, or change .service.yml.`
}

interface Versions {
  /** As in the build file: `node_js: 8`. */
  asked: string
  found: string
}

export function missingVersion({ asked, found }: Versions, variable: PathVariable): string {
  return (
    `.service.yml asks for "${asked}", and this machine has ${found}. ${remedies[variable]}, ask for a version ` +
    'that is there, or let jobs run with what is there (LANGUAGE_VERSIONS=present).'
  )
}

export function otherVersion({ asked, found }: Versions): string {
  return `.service.yml asks for "${asked}", which jobs do not find on this machine: the job runs with ${found}.`
}

/** `asked` is as in the build file: `otp_release: 22`. */
export function versionNotLookedUp(asked: string): string {
  return (
    `.service.yml asks for "${asked}", and this version of the service cannot look whether this machine ` +
    'has it: the job runs with what is there.'
  )
}
