import { logRights } from '../../../access/build-rights.ts'
import {
  basisText,
  exitMeaning,
  type Failure,
  failureBases,
  failureKinds,
} from '../../../domain/failure/failure.ts'
import { flakyText } from '../../../domain/failure/flaky.ts'
import { outsideKinds, outsideText } from '../../../domain/failure/outside.ts'
import { reportOfAttempt, type RunReport } from '../../../flow/failures/run-report.ts'
import type { SeenLog } from '../../../store/repositories/repository-access.ts'
import { refusalOfAttempt } from '../../identity/log-access.ts'
import {
  integer,
  integerOrNull,
  listOf,
  objectOf,
  oneOf,
  orNull,
  text,
  textOrNull,
  truth,
} from '../../openapi/schema.ts'
import { actionsOf, get } from '../core/action.ts'
import { as } from '../core/presented.ts'
import { each, resourceOf } from '../core/resource.ts'
import { ofLog, partNumber, readingLog } from '../records/one-log.ts'

/** The reason why a job failed in one of its attempts, and further facts about that run. */
type FailureModel = SeenLog & { number: number } & RunReport

declare module '../core/resource.ts' {
  interface Models {
    failure: FailureModel
  }
}

const attributes = [
  'attempt',
  'basis',
  'text',
  'kind',
  'command',
  'phase',
  'exit_code',
  'exit_meaning',
  'lines',
  'compared',
  'outside',
  'flaky',
  'outage',
] as const

const ofFailure = <T>(value: (failure: Failure) => T) =>
  each(({ failure }: FailureModel) => failure && value(failure))

const unknown: RunReport = { failure: null, outside: null, flaky: null, outage: null }

const namedRun = objectOf({ job_id: integer, number: text, attempt: integer })

/**
 * Why a job failed: the lines of its log that are likely to name the cause, the likeliest first, and how they
 * were found. Hidden like the log.
 */
export const failure = resourceOf<FailureModel>()({
  type: 'failure',
  href: ({ id }) => `/job/${id}/failure`,
  rights: logRights,
  permissions: ['read', 'write', 'cancel', 'restart', 'debug', 'delete_log', 'view_log'],
  representations: { minimal: attributes, standard: attributes },
  values: {
    attempt: each(({ number }) => number),
    basis: ofFailure(({ basis }) => basis),
    text: ofFailure(({ basis }) => basisText(basis)),
    kind: ofFailure(({ kind }) => kind),
    command: ofFailure(({ command }) => command),
    phase: ofFailure(({ phase }) => phase),
    exit_code: ofFailure(({ exit_code }) => exit_code),
    exit_meaning: ofFailure(({ exit_code }) =>
      exit_code === null ? null : (exitMeaning(exit_code) ?? null),
    ),
    lines: each(({ failure: found }: FailureModel) => found?.lines ?? []),
    compared: each(({ failure: found }: FailureModel) => found?.compared ?? []),
    outside: each(({ outside }) => outside && { ...outside, text: outsideText(outside) }),
    flaky: each(({ flaky }) => flaky && { ...flaky, text: flakyText(flaky) }),
    outage: each(({ outage }) => outage),
  },
  types: {
    attempt: integer,
    basis: orNull(oneOf(failureBases)),
    text: textOrNull,
    kind: orNull(oneOf(failureKinds)),
    command: textOrNull,
    phase: textOrNull,
    exit_code: integerOrNull,
    exit_meaning: textOrNull,
    lines: listOf(objectOf({ number: integer, text, before: listOf(text), after: listOf(text) })),
    compared: listOf(objectOf({ job_id: integer, number: text })),
    outside: orNull(
      objectOf({
        from: namedRun,
        to: namedRun,
        result: oneOf(['passed', 'failed']),
        seconds: integer,
        same_commit: truth,
        changes: listOf(
          objectOf({
            kind: oneOf(outsideKinds),
            name: textOrNull,
            before: textOrNull,
            after: textOrNull,
            is: oneOf(['added', 'removed', 'changed']),
          }),
        ),
        text,
      }),
    ),
    flaky: orNull(
      objectOf({
        flakes: integer,
        runs: integer,
        days: integer,
        failed: namedRun,
        passed: namedRun,
        text,
      }),
    ),
    outage: integerOrNull,
  },
})

export const failureActions = actionsOf(failure, {
  find: get('/job/{job.id}/failure', {
    ...readingLog,
    docs: {
      summary:
        'why a job failed: the lines of its log that are likely to name the cause; hidden like the log',
      fails: ['log_access_denied', 'log_expired'],
    },
    accepts: ofLog,
    async act(call, found, { 'log.attempt': given }) {
      const attempt = given === undefined ? undefined : partNumber(given)
      const refusal = await refusalOfAttempt(call, found, attempt)
      if (refusal) throw refusal
      const number = attempt ?? found.attempt
      const known = await reportOfAttempt(call.ctx, found.id, number)
      return { ...found, number, ...(known ?? unknown) }
    },
    present: as('standard', failure),
  }),
})
