/** Names a run in the environment of all that it starts, so that stray processes can be found. */
export const markName = 'SERVICE_RUN'

export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** What git is given when the service itself calls it: neither our secrets nor anybody's settings. */
export const bareEnvironment = { PATH: systemPath, LANG: 'C.UTF-8' }

/** All that a job gets to know through its environment before its own script exports more. */
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
    HOME: run.home,
    USER: 'ci',
    LOGNAME: 'ci',
    SHELL: '/bin/bash',
    TERM: 'xterm-256color',
    // A job has nobody to ask, so whatever would wait for a person is told not to.
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'echo',
    DEBIAN_FRONTEND: 'noninteractive',
    [markName]: run.mark,
    ...(run.terminal ? {} : { FORCE_COLOR: '1', CLICOLOR_FORCE: '1' }),
    ...(run.input === undefined ? {} : { SERVICE_INPUT: run.input }),
  }
}
