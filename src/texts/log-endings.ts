import { inColour, resetColour } from '../domain/log/log-colours.ts'
import type { SecretsFound } from '../domain/log/log.ts'
import type { ConfigError } from '../domain/request/config-errors.ts'
import { counted } from '../domain/text/counted.ts'
import { visible } from '../domain/text/escape-control-characters.ts'
import { configAdvice } from './config-advice.ts'

// How a log can end: the texts that the service itself writes below the output of a job.

/** The last output of a job's program, for any outcome. */
export function exitedWith(code: string): string {
  return `\nDone. The exit code of the job is ${code}.\n`
}

/** Text about the command that ended the shell of a job; `code` is empty, or ` with 3`. */
export function endedShell(code: string, phase: string): string {
  return `ended the shell${code} during ${phase}.`
}

/** Printed below the command that failed in a phase before the script. */
export const jobStopped = 'The job has been stopped: no later phase is run.'

/** Printed above the reason, if a job's config cannot be compiled. */
export const noProgram = 'No script can be generated from .service.yml for this job.'

/** The whole log of a job that only shows why the build file produced no job that can be run. */
export function noUsableConfig(reason: string, error: ConfigError): string {
  return `${inColour('red', reason)}\r\n\r\n${configAdvice[error]}\r\n`
}

/** The whole log of a job whose build was restarted to fetch the file, and whose request is rejected now. */
export function notBuiltAgain(reason: string | null): string {
  const why = reason === null ? '' : `: ${reason}`
  return `${inColour('red', `The build was restarted, and its request was rejected${why}`)}\r\n`
}

/** The whole log of a job whose machine no runner has. */
export function refused(reason: string): string {
  return `${inColour('red', reason)}\r\n`
}

/** The whole log of a job that is left out of its build. */
export function leftOut(reason: string): string {
  return `${inColour('yellow', reason)}\r\n`
}

export function couldNotFetch(reason: string): string {
  return `${inColour('red', unfetched(reason))}\r\n`
}

export function unfetched(reason: string): string {
  return `The commit cannot be fetched: ${reason}. Nothing was run; restart the job when that is fixed.`
}

export function neverEnded(runs: number, reason: string): string {
  const text =
    `The job was started ${runs} times and never finished: ${reason}. ` +
    'It will not be retried automatically. Restart the job once the cause is fixed.'
  return `\r\n${inColour('red', text)}\r\n`
}

export function notRunForADay(reason: string): string {
  const text =
    `The job could not be started for a day, because of problems outside the job: ${reason}. ` +
    'It will not be retried automatically. Restart the job once the cause is fixed.'
  return `\r\n${inColour('red', text)}\r\n`
}

export function ranTooLong(seconds: number): string {
  return closing(
    `The job ran for ${duration(seconds)}, the maximum duration of a job, and was terminated.`,
    'This limit is the setting timeout_hard_limit of the repository, or else JOB_MINUTES of the service.',
  )
}

export function wasSilent(seconds: number): string {
  return closing(
    `The job printed nothing for ${duration(seconds)} and was ended, because it seemed to hang.`,
    'Print progress from long-running commands, or wrap them in service_wait. ' +
      'This limit is the setting timeout_log_silence of the repository, or else SILENCE_MINUTES of the service.',
  )
}

export function logTooLong(bytes: number): string {
  return closing(
    `The log reached ${counted(bytes, 'byte')}, the maximum size of a log. The rest of the output is ` +
      'not shown, and the job was terminated.',
    'Print less, or write to a file. ' +
      'The operator can change this limit with the setting LOG_LIMIT.',
  )
}

/** `reason` is the job's `cancel_reason`: `canceled by octavia`. */
export function wasCanceled(reason: string): string {
  return closing(`The job was ${reason}.`)
}

/** The whole log of a job that was canceled while it waited. */
export function neverRan(reason: string): string {
  return `${inColour('red', `The job never ran: it was ${reason}.`)}\r\n`
}

/** Printed below the output of an attempt that the service could not finish. */
export function wasLost(reason: string): string {
  return closing(`This attempt was lost: ${visible(reason)}. The job is run again.`)
}

/** Printed above the output of the attempt that follows a lost one. */
export function followsLost(attempt: number, reason: string): string {
  const text = `This is attempt ${attempt}. Attempt ${attempt - 1} was lost: ${visible(reason)}.`
  return `${inColour('yellow', text)}\r\n`
}

/** Where secrets were found in the log of a job that had ended, and what to do about it. */
export function foundSecrets(found: SecretsFound): string {
  const kinds = Object.entries(found)
    .map(([kind, count]) => `${kind} (${count})`)
    .toSorted()
  const count = Object.values(found).reduce((sum, each) => sum + each, 0)
  return (
    `After the job had ended, ${counted(count, 'secret')} in its log ${count === 1 ? 'was' : 'were'} found ` +
    `and masked: ${kinds.join(', ')}. Anyone who saw the log before may know them: replace them.`
  )
}

/** Printed below a log in which secrets were found. */
export function belowFoundSecrets(found: SecretsFound): string {
  return `\r\n${inColour('yellow', foundSecrets(found))}\r\n`
}

/** All that is left of a log that was removed. */
export function wasRemoved(by: string, at: Date, reason?: string): string {
  const time = at.toISOString().slice(0, 19).replace('T', ' ')
  return `Log removed by ${by} at ${time} UTC${reason ? `\n\n${reason}` : ''}`
}

/** All that is left of a log that is kept no longer. */
export function wasExpired(at: Date, days: number): string {
  return `Log deleted by retention on ${at.toISOString().slice(0, 10)}: logs are kept for ${counted(days, 'day')}.`
}

export function ranOutOfMemory(bytes?: number): string {
  const limit = bytes === undefined ? '' : ` of ${counted(bytes, 'byte')}`
  return closing(`The job needed more memory than its limit${limit} and was ended.`)
}

export function ranOutOfDisk(bytes?: number): string {
  const limit = bytes === undefined ? '' : ` of ${counted(bytes, 'byte')}`
  return closing(`The files of the job took more than their limit${limit}, and the job was ended.`)
}

/** For a job that went on after one of its processes was ended for want of memory. */
export function mayHaveRunOutOfMemory(bytes?: number): string {
  const limit = bytes === undefined ? '' : ` (limit: ${counted(bytes, 'byte')})`
  return `A process of this job was probably ended because memory ran out${limit}.`
}

export function wasKilled(signal: string, code: number): string {
  return closing(
    `The job was ended by ${signal} (exit code ${code}) before it finished.`,
    'Its shell was killed: by a command of the job itself, such as kill or pkill, or by the machine, ' +
      'which does so when it runs out of memory.',
  )
}

export function couldNotStart(reason: string): string {
  return closing('The job could not be started.', reason)
}

/** The message in red, and the advice below it. The output above may end in any way. */
function closing(message: string, advice?: string): string {
  const below = advice ? `${advice.replaceAll(/\r?\n/g, '\r\n')}\r\n` : ''
  return `${resetColour}\r\n\r\n${inColour('red', message)}\r\n${below}`
}

function duration(seconds: number): string {
  if (seconds < 60 || seconds % 60 !== 0) return counted(seconds, 'second')
  return counted(seconds / 60, 'minute')
}
