import type { ComponentChildren } from 'preact'

/** Whether an address that came from outside may be followed: http and https only. */
export function isWebAddress(address: string): boolean {
  return /^https?:\/\//i.test(address)
}

interface ExternalLinkProps {
  href: string | null
  children: ComponentChildren
}

/** A link to somewhere else; plain text where the address is none that a browser should open. */
export function ExternalLink({ href, children }: ExternalLinkProps) {
  if (href === null || !isWebAddress(href)) return <>{children}</>
  return (
    <a href={href} rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}
