import { configAdvice, type ConfigError } from '../request/config-errors.ts'
import { inColour, resetColour } from './log-colours.ts'

// How a log can end: the texts that the service itself writes below the output of a job.

/** What the program of a job prints last, however it ends. */
export function exitedWith(code: string): string {
  return `\nDone. The exit code of the job is ${code}.\n`
}

/** Below the command that failed in a phase before the script. */
export const jobStopped = 'The job has been stopped: no later phase is run.'

/** Above the reason, where a job's config cannot be compiled. */
export const noProgram = 'No script can be generated from .service.yml for this job.'

/** The whole log of a job that only shows why the build file gave none that can be run. */
export function noUsableConfig(reason: string, error: ConfigError): string {
  return `${inColour('red', reason)}\r\n\r\n${configAdvice[error]}\r\n`
}

/** The whole log of a job whose build file was to be fetched again, for a request that is rejected now. */
export function notBuiltAgain(reason: string | null): string {
  const why = reason === null ? '' : `: ${reason}`
  return `${inColour('red', `The build was restarted, and its request was rejected${why}`)}\r\n`
}

export function couldNotFetch(reason: string): string {
  const text = `The commit cannot be fetched: ${reason}. Nothing was run; restart the job when that is fixed.`
  return `${inColour('red', text)}\r\n`
}

export function neverEnded(runs: number, reason: string): string {
  const text =
    `The job was started ${runs} times and never finished: ${reason}. ` +
    'It is not started again by itself; restart the job when the cause is fixed.'
  return `\r\n${inColour('red', text)}\r\n`
}

export function notRunForADay(reason: string): string {
  const text =
    `The job could not be run for a day, through no fault of its own: ${reason}. ` +
    'It is not tried again by itself; restart the job when the cause is fixed.'
  return `\r\n${inColour('red', text)}\r\n`
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

export function wasCanceled(reason?: string): string {
  return closing('The job was canceled.', reason)
}

/** All that is left of a log that was removed. */
export function wasRemoved(by: string, at: Date, reason?: string): string {
  const time = at.toISOString().slice(0, 19).replace('T', ' ')
  return `Log removed by ${by} at ${time} UTC${reason ? `\n\n${reason}` : ''}`
}

export function ranOutOfMemory(bytes?: number): string {
  const limit = bytes === undefined ? '' : ` of ${counted(bytes, 'byte')}`
  return closing(`The job needed more memory than its limit${limit} and was ended.`)
}

export function wasKilled(signal: string, code: number): string {
  return closing(
    `The job was ended by ${signal} (exit code ${code}) before it came to its end.`,
    'Its shell was killed: by a command of the job itself, such as kill or pkill, or by the machine, ' +
      'which does so when it runs out of memory.',
  )
}

export function couldNotStart(reason: string): string {
  return closing('The job could not be started.', reason)
}

/** What happened, in red, and below it what can be done. The output above may end in any way. */
function closing(message: string, advice?: string): string {
  const below = advice ? `${advice.replaceAll(/\r?\n/g, '\r\n')}\r\n` : ''
  return `${resetColour}\r\n\r\n${inColour('red', message)}\r\n${below}`
}

function duration(seconds: number): string {
  if (seconds < 60 || seconds % 60 !== 0) return counted(seconds, 'second')
  return counted(seconds / 60, 'minute')
}

function counted(count: number, unit: string): string {
  return `${count.toLocaleString('en-US')} ${unit}${count === 1 ? '' : 's'}`
}
