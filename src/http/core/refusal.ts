import { ServiceError } from '../../domain/errors.ts'
import type { Answer } from './answer.ts'

/** An error with its own response in V2.1, instead of the usual one of its kind. */
export class Refusal extends ServiceError {
  readonly answer: Answer

  constructor({ kind, message, details }: ServiceError, answer: Answer) {
    super(kind, message, details)
    this.answer = answer
  }
}
