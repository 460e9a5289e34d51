// What the runner itself writes into a job's log.

const red = '\u001B[31;1m'
const yellow = '\u001B[33;1m'
const reset = '\u001B[0m'
const clear = '\r\u001B[0K'

/** Facts about the machine, folded away at the top of the log. */
export function workerInfo(facts: Readonly<Record<string, string>>): string {
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${value}\r\n`)
  return (
    `service_fold:start:worker_info${clear}${yellow}Worker information${reset}\r\n` +
    `${lines.join('')}service_fold:end:worker_info${clear}`
  )
}

export function ranTooLong(seconds: number): string {
  return closing(
    `The job ran for ${duration(seconds)}, which is the longest a job may run, and was ended.`,
    'The operator can change this limit with the setting JOB_MINUTES.',
  )
}

export function wasSilent(seconds: number): string {
  return closing(
    `The job printed nothing for ${duration(seconds)} and was ended, since it seemed to hang.`,
    'Let long commands print something now and then, or run them with service_wait. ' +
      'The operator can change this limit with the setting SILENCE_MINUTES.',
  )
}

export function logTooLong(bytes: number): string {
  return closing(
    `The log reached ${counted(bytes, 'byte')}, which is the longest a log may be. The rest of the ` +
      'output is not shown, and the job was ended.',
    'Let the job print less, or write to a file. ' +
      'The operator can change this limit with the setting LOG_LIMIT.',
  )
}

export function wasCanceled(why?: string): string {
  return closing('The job was canceled.', why)
}

export function ranOutOfMemory(bytes?: number): string {
  const limit = bytes === undefined ? '' : ` of ${counted(bytes, 'byte')}`
  return closing(`The job needed more memory than its limit${limit} and was ended.`)
}

export function couldNotStart(why: string): string {
  return closing('The job could not be started.', why)
}

/** In red what happened, below it what can be done. */
function closing(what: string, advice?: string): string {
  const below = advice ? `${advice.replaceAll(/\r?\n/g, '\r\n')}\r\n` : ''
  return `${reset}\r\n\r\n${red}${what}${reset}\r\n${below}`
}

function duration(seconds: number): string {
  if (seconds < 60 || seconds % 60 !== 0) return counted(seconds, 'second')
  return counted(seconds / 60, 'minute')
}

function counted(count: number, unit: string): string {
  return `${count.toLocaleString('en-US')} ${unit}${count === 1 ? '' : 's'}`
}
