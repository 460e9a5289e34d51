import type { ComponentChildren } from 'preact'
import type { Viewer } from '../../../access/viewer.ts'
import { formTokenName } from '../../session.ts'

interface FormProps {
  /** Who sees it: with a session a form has to say that it comes from a page of that. */
  viewer: Viewer
  action: string
  class?: string
  children: ComponentChildren
}

/** A form that changes something. */
export function Form({ viewer, action, children, ...rest }: FormProps) {
  return (
    <form method="post" action={action} {...rest}>
      <input type="hidden" name={formTokenName} value={viewer.form_token ?? ''} />
      {children}
    </form>
  )
}
