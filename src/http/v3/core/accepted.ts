import { pending, presented, type Presenter, showing } from './presented.ts'
import type { Resource } from './resource.ts'

/** Presents a record that is about to change, as it is now. */
export function changing<T extends object>(
  resource: Resource<T>,
  state_change: 'cancel' | 'replay' | 'resend' | 'restart',
): Presenter<T> {
  const { type } = resource
  const present = (record: T) =>
    pending(type, { [type]: presented('minimal', resource, record), state_change })
  return showing([{ resource, representation: 'minimal' }], present, 202)
}
