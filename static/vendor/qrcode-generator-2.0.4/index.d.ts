// What our scripts use of qrcode-generator.

interface QRCode {
  addData(data: string, mode: "Byte"): void;
  make(): void;
  getModuleCount(): number;
  isDark(row: number, column: number): boolean;
}

export function qrcode(version: number, errorCorrection: "L" | "M" | "Q" | "H"): QRCode;
