export { barcode, qrCode } from './codes.ts';
export { geometry } from './geometry.ts';
export { specificDBType } from './specific-db-type.ts';
