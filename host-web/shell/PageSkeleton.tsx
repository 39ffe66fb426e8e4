/** What a page shows while its code arrives. */
export function PageSkeleton() {
  return (
    <div className="tr-page-skeleton" aria-busy="true">
      <div className="tr-skeleton tr-skeleton--title" />
      <div className="tr-skeleton tr-skeleton--line" />
      <div className="tr-skeleton tr-skeleton--line" />
      <div className="tr-skeleton tr-skeleton--block" />
    </div>
  );
}
