import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from '../config/config.ts'
import { readerIsGone } from './signals.ts'

/** The service's own log, on standard error: standard output is for the results of commands. */
export function createLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Logger {
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stderr.isTTY)
  const output = pino.destination({ dest: 2, sync: isPretty })
  output.on('error', readerIsGone)
  const to = isPretty
    ? pretty({ destination: output, ignore: 'pid,hostname', translateTime: 'HH:MM:ss' })
    : output
  const redact = ['*.token', '*.secret', 'headers']
  return pino({ level: logLevel, redact, serializers: { err: shownError } }, to)
}

/** Errors of libraries contain connections, requests and rows, which must not appear in a log. */
function shownError(error: Error): object {
  const { type, message, stack, code, status } = pino.stdSerializers.err(
    error,
  ) as unknown as Record<string, unknown>
  return { type, message, stack, code, status }
}
