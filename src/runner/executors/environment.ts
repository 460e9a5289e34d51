/** Marks a run in the environment of all its processes, so that stray processes can be found. */
export const markName = 'SERVICE_RUN'

export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Environment of git when called by the service itself: without our secrets and anyone's settings. */
export const bareEnvironment = { PATH: systemPath, LANG: 'C.UTF-8' }

/**
 * The variables that every job finds in its environment. No person can type in a job, so programs
 * must not wait for input.
 */
export const usualEnvironment = {
  LANG: 'C.UTF-8',
  SHELL: '/bin/bash',
  TERM: 'xterm-256color',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'echo',
  DEBIAN_FRONTEND: 'noninteractive',
}

/** The whole environment of a job before its own script exports more. */
export function jobEnvironment(run: {
  home: string
  mark: string
  terminal: boolean
  input: string | undefined
  variables: Record<string, string>
}): Record<string, string> {
  return {
    ...run.variables,
    ...bareEnvironment,
    ...usualEnvironment,
    HOME: run.home,
    USER: 'ci',
    LOGNAME: 'ci',
    [markName]: run.mark,
    ...(run.terminal ? {} : { FORCE_COLOR: '1', CLICOLOR_FORCE: '1' }),
    ...(run.input === undefined ? {} : { SERVICE_INPUT: run.input }),
  }
}
